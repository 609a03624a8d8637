/// Why one entry cannot be taken, as a sentence about it.
struct EntryFault: Error {
  let reason: String
}
