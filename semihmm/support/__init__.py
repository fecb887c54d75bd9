"""Says what an abstract has from its document, what it has from nowhere, and what contradicts."""
