// A form with `data-passkey` asks for options at the path that it names, and sends what the authenticator replied.

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))

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
      client: encode(response.clientDataJSON),
      signature: encode(response.signature),
      authenticator: encode(response.authenticatorData),
    }
  }
  options.user.id = bytes(options.user.id)
  for (const known of options.excludeCredentials) known.id = bytes(known.id)
  const { response } = await navigator.credentials.create({ publicKey: options })
  return {
    client: encode(response.clientDataJSON),
    attestation: encode(response.attestationObject),
  }
}

addEventListener("submit", async (event) => {
  const form = event.target
  if (!form.dataset.passkey) return
  event.preventDefault()
  if (!globalThis.PublicKeyCredential) {
    return refuse(form, "This browser has no passkeys for this address.")
  }
  try {
    submit(form, await ask(form))
  } catch (fault) {
    const words = {
      NotAllowedError: "No passkey was given.",
      InvalidStateError: "This passkey was added before.",
    }
    refuse(form, words[fault.name] ?? fault.message)
  }
})
