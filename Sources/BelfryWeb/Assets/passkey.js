// A form with `data-passkey` asks for options at the path that it names, and sends what the authenticator replied.

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

async function ask(form) {
  const reply = await fetch(form.dataset.passkey, {
    method: "POST",
    headers: { Accept: "application/json" },
  })
  const options = await reply.json()
  if (!reply.ok) throw new Error(options.detail + ". " + (options.hint ?? ""))
  options.challenge = bytes(options.challenge)
  if (!options.user) {
    const { id, response } = await navigator.credentials.get({ publicKey: options })
    return {
      credential: id,
      client: text(response.clientDataJSON),
      signature: text(response.signature),
      authenticator: text(response.authenticatorData),
    }
  }
  options.user.id = bytes(options.user.id)
  for (const known of options.excludeCredentials) known.id = bytes(known.id)
  const { response } = await navigator.credentials.create({ publicKey: options })
  return { client: text(response.clientDataJSON), attestation: text(response.attestationObject) }
}

function tell(form, words) {
  const line = form.querySelector("[role=alert]") ?? form.appendChild(document.createElement("p"))
  line.setAttribute("role", "alert")
  line.className = "error"
  line.textContent = words
}

addEventListener("submit", async (event) => {
  const form = event.target
  if (!form.dataset.passkey) return
  event.preventDefault()
  if (!globalThis.PublicKeyCredential) {
    return tell(form, "This browser has no passkeys for this address.")
  }
  try {
    for (const [name, value] of Object.entries(await ask(form))) {
      const field = form.elements[name] ?? form.appendChild(document.createElement("input"))
      field.type = "hidden"
      field.name = name
      field.value = value
    }
    form.submit()
  } catch (fault) {
    const words = {
      NotAllowedError: "No passkey was given.",
      InvalidStateError: "This passkey was added before.",
    }
    tell(form, words[fault.name] ?? fault.message)
  }
})
