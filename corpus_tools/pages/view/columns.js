// The menu of columns, where these stand in groups: which figures the table has.

// Show some more columns, and hide others.
function showColumns(more, less = []) {
  shownColumns = columns.map((_, column) => column)
    .filter((column) => !less.includes(column) && (shownColumns.includes(column) || more.includes(column)));
  // What is not seen filters nothing and orders nothing.
  for (const column of less) bounds[column] = NO_BOUNDS;
  if (less.includes(order?.column)) order = null;
  for (const box of get("columns").querySelectorAll("input")) box.checked = shownColumns.includes(Number(box.value));
  makeHead();
}

function choiceOf(column) {
  const { title, meaning } = columns[column];
  return make("label", { title: meaning }, make("input", { type: "checkbox", value: column }), title);
}

const groups = Map.groupBy(columns.keys(), (column) => columns[column].group);
if (groups.size > 1) {
  get("columns").lastChild.append(...[...groups].map(([group, own]) =>
    make("fieldset", {}, make("legend", {}, group), ...own.map(choiceOf))));
  showColumns([]);
  get("columns").addEventListener("change", ({ target }) => {
    const column = Number(target.value);
    showColumns(target.checked ? [column] : [], target.checked ? [] : [column]);
    showChoice();
  });
} else get("columns").remove();
