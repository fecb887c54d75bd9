# shellcheck shell=bash
# Sourced by demo.sh and test.sh: make_environment makes .venv in the repository, with the project and WordNet.
# Runs where there is nothing but Python, on Debian and with the bash 3.2 of macOS; does nothing twice.

root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

# make_environment EXTRAS: EXTRAS as pip writes them, "" or "[test]".
make_environment() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || make_venv
    install_project "$1"
    have_wordnet || get_wordnet
}

# stdout belongs to the demo and the tests.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# A fresh Debian has no list of its packages yet, and an old list names packages that are gone.
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
    # Debian puts what venv needs to bring pip into a package of its own.
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
    # Editable installs know their folder and their Python: where one of them has changed, install again.
    installed="$root$1 $("$venv/bin/python" --version) $(cksum <"$root/pyproject.toml")"
    grep -qxF "$installed" "$venv/installed" 2>/dev/null && return
    say "Installing the project and what it needs: a minute or two"
    # An older binary is better than a newer source, which would need a compiler.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --prefer-binary -e "$root$1" >&2
    echo "$installed" >>"$venv/installed"
}

have_wordnet() {
    "$venv/bin/python" -c 'from rewrite_models.wordnet_access.wordnet_reader import open_wordnet; open_wordnet()' 2>/dev/null
}

# Without WordNet all the rest works, so this never fails. NLTK's downloader calls an error a success: each way is
# judged by what can be read afterwards.
get_wordnet() {
    local way
    say "Getting WordNet"
    for way in wordnet_from_nltk wordnet_from_debian; do
        if "$way" && have_wordnet; then return; fi
    done
    say "WordNet could not be had: going on without it. To get it, either
    $venv/bin/python -m nltk.downloader wordnet
or, on Debian as root,
    apt-get install wordnet-base"
}

wordnet_from_nltk() {
    # Left to itself, the downloader waits for ever where a network drops what it may not let through.
    "$venv/bin/python" - "$venv/nltk_data" >&2 <<'PYTHON'
import socket, sys, nltk
socket.setdefaulttimeout(20)
nltk.download("wordnet", download_dir=sys.argv[1], quiet=True)
PYTHON
}

# Unpacked, not installed: that needs no root, and NLTK finds it in the environment.
wordnet_from_debian() (
    rm -rf "$venv/debian" && mkdir -p "$venv/debian" && cd "$venv/debian" &&
        with_package_lists apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb . &&
        mkdir -p ../nltk_data/corpora && rm -rf ../nltk_data/corpora/wordnet &&
        mv usr/share/wordnet ../nltk_data/corpora/wordnet && rm -r ../debian
)
