/* Browsers break lines after a hyphen; a flag in code stays on one line. */
for (const code of document.querySelectorAll("code")) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(/(--[a-z][a-z-]*)/);
    if (parts.length === 1) continue;
    text.replaceWith(...parts.map((part, place) => {
      if (place % 2 === 0) return part;
      const flag = document.createElement("span");
      flag.className = "flag";
      flag.textContent = part;
      return flag;
    }));
  }
}
