// For forms whose script gets a value from the browser, such as a passkey, and then sends it.

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
