"""Rewrite models: p(abstract phrase | document phrase). Daumé III and Marcu (2005), section 4.2."""
