"""Tests of the house rules: directions of imports, names, what start-up loads."""

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from linecache import getline
from pathlib import Path

import grimp
import numpy as np
import pytest

from corpus_tools.base.errors import PACKAGES
from corpus_tools.base.packages import modules_of
from semihmm import align
from semihmm.registry import APPLICATIONS, application
from tests.paths import PROJECT, ROOT

OURS = {*PACKAGES, "scripts", "tests"}

IMPORTS = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
"""The modules that each module imports, also in functions and for type checkers."""

RUNNING = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
"""The same of the project alone, without the imports for type checkers."""


def written_files(folders: Iterable[str], pattern: str) -> dict[str, Path]:
    """Return the files of some folders by name, without what tools leave behind."""
    paths = sorted(
        path for folder in folders for path in (ROOT / folder).rglob(pattern) if path.is_file()
    )
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: path for name, path in names.items() if not re.search(r"__pycache__|/\.", name)}


@cache
def parsed_modules() -> dict[str, ast.Module]:
    """Return the modules of the project by the names of their files."""
    files = written_files(PACKAGES, "*.py")
    return {name: ast.parse(path.read_bytes()) for name, path in files.items()}


def test_imports_run_one_way():
    floors = ("semihmm", {"jump_models", "rewrite_models"}, "corpus_tools")
    assert IMPORTS.find_illegal_dependencies_for_layers(floors) == set()
    assert IMPORTS.modules & {"scripts", "tests"} == set()


# Tests that a top-level name has one meaning in a package

COMMON_NAMES = {"main", "measure"}
"""Names of functions that may occur in several files."""

SAME_IN_PLAIN_PYTHON = "semihmm/reference.py"
"""The paper in plain Python: its functions are called like those that they are twins of."""


def definitions(module: ast.Module) -> dict[str, ast.stmt]:
    """Return the definition of each top-level name of a module, imports aside.

    Private functions are left out, private constants and types are not.
    """
    found: dict[str, ast.stmt] = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
            is_private = isinstance(node, ast.FunctionDef) and node.name.startswith("_")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            inside = (part for target in targets for part in ast.walk(target))
            names = [part.id for part in inside if isinstance(part, ast.Name)]
            is_private = all(name.startswith("__") for name in names)
        else:
            continue
        if not is_private:
            found |= dict.fromkeys(names, node)
    return found


def names_of_several_meanings(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return the top-level names that files of one package define differently, with the files."""
    meanings: dict[str, dict[str, ast.stmt]] = {}
    for file, module in modules.items():
        if file != SAME_IN_PLAIN_PYTHON:
            for name, meaning in definitions(module).items():
                meanings.setdefault(name, {})[file] = meaning
    return {
        name: set(by_file)
        for name, by_file in meanings.items()
        if len(by_file) > 1 and len(set(map(ast.unparse, by_file.values()))) > 1
    }


def test_names_of_several_meanings_are_found():
    """Equal definitions, such as type variables, have one meaning."""
    texts = ("A = 1; T = f('T'); _B = 2", "A = 2; T = f('T'); _B: int = 3", "def g(): pass")
    modules = {str(number): ast.parse(text) for number, text in enumerate(texts)}
    assert names_of_several_meanings(modules) == {"A": {"0", "1"}, "_B": {"0", "1"}}


UNITS = (*PACKAGES, *(f"semihmm/applications/{name}" for name in APPLICATIONS))
"""The packages, and the applications, each of which stands by itself."""


def unit_of(file: str) -> str:
    """Return the package or the application of a module."""
    return max((unit for unit in UNITS if file.startswith(f"{unit}/")), key=len)


@pytest.mark.parametrize("unit", UNITS)
def test_a_top_level_name_has_one_meaning_in_a_package(unit):
    files = parsed_modules().items()
    modules = {file: module for file, module in files if unit_of(file) == unit}
    found = names_of_several_meanings(modules)
    assert {name: files for name, files in found.items() if name not in COMMON_NAMES} == {}


def test_only_the_one_way_to_compile_kernels_imports_numba():
    users = IMPORTS.find_modules_that_directly_import("numba")
    assert users == {"corpus_tools.base.compiled_kernels"}


ONE_PAIR = "from semihmm import align; align('A cat sat. It ran.', 'Cats sit.')"
OF_MODELS = ("numba", "nltk", "tqdm", "semihmm.aligner", "semihmm.model.settings")
UNUSED = (
    *("scipy.stats", "scipy.sparse", "scipy.optimize", "sklearn", "pandas", "dask", "torch"),
    *("matplotlib", "jinja2", "pyarrow", "rich", "nltk.parse", "numba.np.arraymath"),
)
STARTS = {
    "import semihmm.cli.main": ("numba", "nltk", "numpy"),
    "import semihmm; dir(semihmm); semihmm.__version__": ("numpy",),
    "import semihmm.applications.score.command": OF_MODELS,
    "import semihmm.applications.corpus.command": OF_MODELS,
    ONE_PAIR: UNUSED,
}
"""What is put off until it is used, by the program that does not use it."""

AFTERWARDS = {ONE_PAIR: "import nltk; nltk.edit_distance('a', 'b'); nltk.tokenize.TweetTokenizer"}
"""What a program may still use of what was put off."""


@pytest.mark.parametrize("start", STARTS)
def test_what_is_not_needed_is_not_imported(start):
    """Each program runs in a process of its own: what is imported once stays."""
    align("A cat sat. It ran.", "Cats sit.")  # now the kernels are compiled
    loaded = f"import sys; print({{*{STARTS[start]}}} & {{*sys.modules}})"
    command = [sys.executable, "-c", f"{start}; {loaded}; {AFTERWARDS.get(start, '')}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("set()\n", "")


def test_no_path_of_the_machine_it_was_written_on():
    # Spelled so that this file does not match itself.
    machine_paths = re.compile(rb"(?<![\w.])/(?:work|root|opt/venv)/")
    top = {path.name: path for path in ROOT.glob("*.*") if path.is_file()}
    top.pop(".git", None)  # a file in a second work tree of git
    files = written_files([*OURS, ".ci"], "*") | top
    assert {"README.md", ".ci/run", "scripts/test.sh", "tests/test_layout.py"} <= set(files)
    assert [name for name, path in files.items() if machine_paths.search(path.read_bytes())] == []


def kernel_functions() -> dict[str, list[ast.FunctionDef]]:
    """Return the functions of each kernel module, nested ones included."""
    return {
        name: [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
        for name, module in parsed_modules().items()
        if name.endswith("_kernels.py")
    }


def test_functions_of_a_kernel_module_have_names_of_their_own():
    """Symbols in numba's disk cache: module, name, types, and a number that each process restarts.

    Functions that share a name may share a symbol too, and then one is called for the other.
    """
    assert "semihmm/inference/jump_kernels.py" in kernel_functions()
    names = {
        name: [function.name for function in functions]
        for name, functions in kernel_functions().items()
    }
    twice = {
        module: {name for name, number in Counter(functions).items() if number > 1 or name == "_"}
        for module, functions in names.items()
    }
    assert {module: functions for module, functions in twice.items() if functions} == {}


def test_only_tests_use_the_paper_in_plain_python():
    assert IMPORTS.find_modules_that_directly_import("semihmm.reference") == set()


def test_tests_compute_what_they_compare_with():
    """A number that they import would be wrong on both sides. Codes of cases are small."""
    numbers = {
        f"{name}: {alias.name}"
        for name, path in written_files(["tests"], "*.py").items()
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in PACKAGES
        for alias in node.names
        for value in [getattr(importlib.import_module(str(node.module)), alias.name, None)]
        if isinstance(value, float | np.ndarray) or (isinstance(value, int) and value > 9)
    }
    assert numbers == set()


def test_all_kernels_and_no_other_modules_are_free_of_type_hints():
    overrides = PROJECT["tool"]["mypy"]["overrides"]
    (relaxed,) = (
        each["module"] for each in overrides if each.get("disallow_untyped_defs") is False
    )
    kernels = {name.removesuffix(".py").replace("/", ".") for name in kernel_functions()}
    # The one way to compile kernels is no kernel itself.
    assert set(relaxed) == kernels - {"corpus_tools.base.compiled_kernels"}


def test_the_citation_has_the_version_of_the_project():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['project']['version']}\n" in citation


# Tests that a room imports only rooms below it, and that files make no circles


def floors() -> dict[str, list[grimp.Layer]]:
    """Return the floors of each package in the tables of the architecture, from the top down.

    The first row of a table names the package, each further one the rooms of a floor, which do not
    import each other.
    """
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tables = re.findall(r"(?m)^\| `(\w+)` .*\n\|---.*\n((?:\|.*\n)+)", text)
    return {
        package: [
            grimp.Layer(*re.findall(r"`(\w+)`", row.split("|")[1])) for row in rows.splitlines()
        ]
        for package, rows in tables
        if package in PACKAGES
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_stands_on_a_floor_and_imports_only_what_stands_below_it(package):
    """``__main__`` is no room. Of applications others import types, and nothing else."""
    stories = floors()[package]
    assert 0 < len(stories) <= 7
    rooms = {name.rpartition(".")[2] for name in IMPORTS.find_children(package)} - {"__main__"}
    assert {room for floor in stories for room in floor.module_tails} == rooms
    for graph, of_types in ((IMPORTS, {"semihmm.applications"}), (RUNNING, set())):
        wrong = graph.find_illegal_dependencies_for_layers(stories, containers={package})
        assert {one for one in wrong if one.imported not in of_types} == set()


def test_files_do_not_import_each_other_in_circles():
    """Raises ``CycleError``, which names the files of the circle."""
    graph = {name: IMPORTS.find_modules_directly_imported_by(name) for name in IMPORTS.modules}
    assert "semihmm.cli.messages" in graph["semihmm.cli.main"]
    TopologicalSorter(graph).prepare()


# Tests that applications stand by themselves


@pytest.mark.parametrize("name", APPLICATIONS)
def test_others_import_public_names_of_an_application_where_they_use_them(name):
    """They import from its package, not from its modules, and in functions."""
    package = f"semihmm.applications.{name}"
    inside = {package, *RUNNING.find_descendants(package)}
    imports = [
        detail
        for imported in inside
        for importer in RUNNING.find_modules_that_directly_import(imported) - inside
        for detail in RUNNING.get_import_details(importer=importer, imported=imported)
    ]
    files = {one["importer"]: str(find_spec(one["importer"]).origin) for one in imports}
    wrong = [
        one
        for one in imports
        if one["imported"] != package
        or getline(files[one["importer"]], one["line_number"]).startswith("from ")
    ]
    assert wrong == []


def test_each_application_is_a_folder_and_a_line():
    folders = {path.name for path in (ROOT / "semihmm" / "applications").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == {*APPLICATIONS}
    assert list(APPLICATIONS) == sorted(APPLICATIONS)


@pytest.mark.parametrize("name", APPLICATIONS)
def test_all_public_names_of_an_application_are_there(name):
    found = application(name)
    names = modules_of(found.__file__)
    assert {
        public: getattr(found, public, None) for public in names if not hasattr(found, public)
    } == {}
