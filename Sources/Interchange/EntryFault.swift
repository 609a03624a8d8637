/// The reason why one entry cannot be imported, as a sentence about it.
struct EntryFault: Error {
  let reason: String
}
