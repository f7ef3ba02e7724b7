// The page's tables, sorted by a click on a heading (or Enter).

/// "−1,234.5 %" is −1234.5; NaN when it is not a number.
export function numberIn(cell: string): number {
  const text = cell.trim().replace("−", "-").replaceAll(",", "").replace(/\s*%$/, "");
  return text === "" ? NaN : Number(text);
}

export function sortable(table: HTMLTableElement): void {
  const headings = [...table.querySelectorAll("th")];
  headings.forEach((heading, column) => {
    heading.tabIndex = 0;
    const sort = () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const rows = [...table.querySelectorAll("tr")].filter((row) => row.querySelector("td"));
      const text = (row: HTMLTableRowElement) => row.cells[column]?.textContent ?? "";
      rows.sort((a, b) => {
        const difference = numberIn(text(a)) - numberIn(text(b));
        const order = Number.isNaN(difference) ? text(a).localeCompare(text(b)) : difference;
        return ascending ? order : -order;
      });
      rows.forEach((row) => row.parentElement!.append(row));
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
}
