"use strict";

// Tables are sorted by the buttons that this puts into their heads: words from A on, numbers from the largest on, and
// the other way round when pressed again. What is missing stays at the end.
const OTHER = { ascending: "descending", descending: "ascending" };

function valueOf(cell, isWord) {
  const text = cell.textContent;
  return isWord ? text : Number(text.replaceAll(",", "").replace("inf", "Infinity"));
}

function compare(one, other, isWord) {
  if (isWord) return one.localeCompare(other, "en", { numeric: true });
  return one - other;
}

function sort(table, head) {
  const isWord = head.classList.contains("word");
  const first = isWord ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === first ? OTHER[first] : first;
  const sign = order === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: valueOf(row.cells[head.cellIndex], isWord) }));
  const known = rows.filter((each) => isWord || !Number.isNaN(each.value));
  const missing = rows.filter((each) => !known.includes(each));
  known.sort((one, other) => sign * compare(one.value, other.value, isWord));
  table.tBodies[0].append(...[...known, ...missing].map((each) => each.row));
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
}

for (const table of document.querySelectorAll("table")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head));
  }
}
