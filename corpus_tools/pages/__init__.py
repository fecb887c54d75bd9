"""Shows aligned pairs, on pages and in the terminal; the pages and the server of annotation."""
