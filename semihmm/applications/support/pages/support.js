// The page of support: a pair is shown as the program has written it.

const main = document.querySelector("main");
const KEYS = {};

function showPair({ html }) {
  get("pair").innerHTML = html;
  main.scrollTop = 0;
  highlightSearch([get("pair")]);
}

function showNothing() {
  get("pair").replaceChildren();
}

function abstractOf({ abstract }) {
  return abstract;
}

function documentOf({ html }) {
  const holder = make("template");
  holder.innerHTML = html;
  return holder.content.textContent;
}

main.addEventListener("click", leadToSource);
start();
