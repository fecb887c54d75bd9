"""The public names of the application, for others."""

from semihmm.applications.view.link_page import pair_html as pair_html
from semihmm.applications.view.link_page import write_page as write_page
