"""Jump models: p(next document position | where the last phrase ended).

Daumé III and Marcu (2005), section 4.1.
"""
