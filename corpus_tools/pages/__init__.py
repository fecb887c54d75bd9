"""Shows aligned pairs, on pages and in the terminal; parts of pages, and a server of them."""
