// The note of a pair: it is saved while it is written, and never over one of which this page does not know.

const REST = 500;  // Milliseconds without a letter after which a note is saved, chosen by hand.

let noteTimer = 0;
let knownNote = "";  // The note on the server as this page knows it: what is written stands on it.

function writeNote() {
  get("note-box").open = true;
  get("note").focus();
}

function onNote() {
  get("saved").textContent = "note not saved yet";
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => inOrder(saveNote), REST);
}

// Return the step that saves the note, null if there is nothing to save.
function noteStep() {
  const text = get("note").value;
  return pair && text !== knownNote ? { do: "note", text, before: knownNote } : null;
}

// Save what is written; return whether nothing is left to save.
async function saveNote() {
  clearTimeout(noteTimer);
  const action = noteStep();
  return !action || await step(action);
}

// Take the note of the server. Where it was changed there and here, both stand in the field, to be merged by hand.
// `saved`: the note that was just saved, if one was; the annotator may have written on meanwhile.
function takeNote(note, saved) {
  const field = get("note");
  const known = saved ?? knownNote;
  // A field changes ends of lines.
  const isChanged = field.value !== known;
  if (!isChanged) field.value = note;
  else if (note !== known && !field.value.includes(note)) {
    field.setRangeText(`${note}\n\n`, 0, 0, "preserve");
    get("note-box").open = true;
    tell("The note was changed elsewhere: that text stands above yours. Merge both.");
    clearTimeout(noteTimer);
  }
  knownNote = isChanged ? note : field.value;
}

// Show the note of a pair that was opened.
function openNote(note) {
  get("note").value = note;
  knownNote = get("note").value;
  get("note-box").open = note !== "";
}

get("note").addEventListener("input", onNote);
get("note").addEventListener("blur", () => inOrder(saveNote));
// Only a note that could not be saved is asked about: others are saved when the page is left.
addEventListener("beforeunload", (event) => {
  if (noteStep() && get("saved").classList.contains("failed")) event.preventDefault();
});
addEventListener("pagehide", () => { if (noteStep()) send(noteStep(), 0); });
document.addEventListener("visibilitychange", () => { if (document.hidden) inOrder(saveNote); });
