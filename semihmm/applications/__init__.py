"""Has a folder for each application: its command, its library, its pages."""
