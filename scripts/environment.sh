# shellcheck shell=bash
# Sourced by demo.sh and test.sh: make_environment makes .venv in the repository, with the project and WordNet.
# It needs nothing but Python, runs on Debian and with the bash 3.2 of macOS, and skips what is already done.

root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

# What is installed and run here many times is compiled once, also where this is off in general.
unset PYTHONDONTWRITEBYTECODE

# make_environment [GROUP]: GROUP of pyproject.toml is what developers install beside the project.
make_environment() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || make_venv
    install_project "$@"
    get_data
}

# Messages go to stderr: stdout is for the output of the demo and of the tests.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# Run a command that needs apt's package lists. If it fails, update the lists and run it again: a fresh Debian has none,
# and an old list names packages that no longer exist.
with_package_lists() {
    command -v apt-get >/dev/null || return 1
    "$@" >/dev/null 2>&1 || { as_root apt-get -qq update >&2 && "$@" >&2; }
}

find_python() {
    local python
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    fail "Python 3.11 or newer is needed: apt-get install python3 (Debian, as root), brew install python3 (macOS)"
}

make_venv() {
    local python package
    python=$(find_python)
    # On Debian, ensurepip (without which venv cannot install pip) is in a package of its own.
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    say "Making the environment $venv"
    if can_make_venv "$python"; then
        "$python" -m venv "$venv"
    elif command -v virtualenv >/dev/null; then
        virtualenv --quiet --python "$python" "$venv"
    elif with_package_lists as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y "$package"; then
        "$python" -m venv "$venv"
    else
        fail "$python cannot make environments: install $package (as root: apt-get install $package) or virtualenv"
    fi
}

can_make_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

install_project() {
    local installed
    # An editable install holds the paths of its folder and of its Python: install again if one of them changed.
    installed="$root ${1-} $("$venv/bin/python" --version) $(cksum <"$root/pyproject.toml")"
    grep -qxF "$installed" "$venv/installed" 2>/dev/null && return
    say "Installing the project and its dependencies: this takes a minute or two"
    cd "$root"
    install_by_uv "$@" || install_by_pip "$@"
    cd "$OLDPWD"
    echo "$installed" >>"$venv/installed"
}

# uv takes a fifth of pip's time. It does not read pip's configuration, which may name the only index that is reached.
install_by_uv() {
    pip_install "uv>=0.8" &&
        "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" -e . ${1:+--group "$1"} >&2
}

install_by_pip() {
    say "Not by uv: by pip"
    # Older ones know no groups.
    pip_install --upgrade "pip>=25.1"
    # An older wheel is better than a newer source package, which would need a compiler.
    pip_install --prefer-binary -e . ${1:+--group "$1"}
}

pip_install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >&2; }

# WordNet and the list of paraphrases. Never fails: everything else works without them.
get_data() {
    local missing
    missing=$(missing_data)
    case $missing in *wordnet*) ! wordnet_from_debian || missing=$(missing_data) ;; esac
    [ -z "$missing" ] || say "Not downloaded: $missing. Going on without. To get it, run
    $venv/bin/python -m nltk.downloader $missing
or, for WordNet, on Debian as root,
    apt-get install wordnet-base"
}

# Print what is missing after NLTK's downloader was asked for it, which reports success after an error.
missing_data() {
    "$venv/bin/python" - "$venv/nltk_data" <<'PYTHON'
import socket, sys
from corpus_tools.base.errors import SemiHmmError
from corpus_tools.texts.lexicons import find_paraphrases
from rewrite_models.wordnet_reader import open_wordnet

def missing():
    for name, find in (("wordnet", open_wordnet), ("mwa_ppdb", find_paraphrases)):
        try:
            find()
        except SemiHmmError:
            yield name

if names := [*missing()]:
    import nltk
    print("Getting", *names, file=sys.stderr)
    # The downloader has no time limit of its own, and waits for ever behind a firewall that drops packets.
    socket.setdefaulttimeout(20)
    nltk.data.path.insert(0, sys.argv[1])
    for name in names:
        nltk.download(name, download_dir=sys.argv[1], quiet=True)
    print(*missing())
PYTHON
}

# Unpack the package without installing it: this needs no root, and NLTK searches the environment.
wordnet_from_debian() (
    rm -rf "$venv/debian" && mkdir -p "$venv/debian" && cd "$venv/debian" &&
        with_package_lists apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb . &&
        mkdir -p ../nltk_data/corpora && rm -rf ../nltk_data/corpora/wordnet &&
        mv usr/share/wordnet ../nltk_data/corpora/wordnet && rm -r ../debian
)

# What the Perl program ROUGE-1.5.5 needs, with which tests compare ours. Never fails: without it, these tests are skipped.
get_rouge_program_parts() {
    if perl -MXML::Parser -MDB_File -e 1 2>/dev/null; then return; fi
    say "Getting what ROUGE-1.5.5 needs"
    with_package_lists as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y perl libxml-parser-perl ||
        say "ROUGE-1.5.5 cannot run: going on without it. To compare with it, run, on Debian as root,
    apt-get install perl libxml-parser-perl"
}

# A browser for the tests of web pages. Never fails: without it, these tests are skipped.
get_browser() {
    if command -v chromedriver >/dev/null; then return; fi
    say "Getting a browser"
    with_package_lists as_root env DEBIAN_FRONTEND=noninteractive \
        timeout 300 apt-get install -y --no-install-recommends chromium chromium-driver ||
        say "There is no browser: going on without it. To test web pages, run, on Debian as root,
    apt-get install chromium chromium-driver"
}

# Other versions of Python, on which tests install what was built. Never fails: versions that are missing are skipped.
get_pythons() {
    local version missing=""
    for version in 3.11 3.12 3.13 3.14; do
        "python$version" -c "" 2>/dev/null || ls "$venv"/pythons/*/bin/"python$version" >/dev/null 2>&1 ||
            missing="$missing $version"
    done
    [ -n "$missing" ] || return 0
    say "Getting Python$missing"
    # shellcheck disable=SC2086
    UV_HTTP_RETRIES=0 UV_PYTHON_INSTALL_DIR=$venv/pythons timeout 300 \
        "$venv/bin/uv" python install --quiet --no-bin $missing >&2 ||
        say "Some versions of Python could not be downloaded: going on without them."
}
