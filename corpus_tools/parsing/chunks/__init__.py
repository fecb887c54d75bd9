"""Tags and parses sentences without any download."""
