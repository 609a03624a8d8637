// For forms whose script asks the browser for something, and then sends what it gave.

const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

function submit(form, values) {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements[name] ?? form.appendChild(document.createElement("input"))
    Object.assign(field, { type: "hidden", name, value })
  }
  form.submit()
}

function refuse(form, words) {
  const line = form.querySelector("[role=alert]") ?? form.appendChild(document.createElement("p"))
  line.setAttribute("role", "alert")
  line.className = "error"
  line.textContent = words
}
