/**
 * Bytes that several threads read: nothing is copied or handed back and forth. V8 does not count them as memory outside of its
 * heap, every 64 MB of which it answers with a collection of everything; they are freed when no thread holds them any more.
 * Who made them fills them before another thread has them, and nobody writes to them afterwards.
 */
export type SharedBytes = Uint8Array<SharedArrayBuffer>

/** @param length in bytes */
export const sharedBytes = (length: number): Buffer<SharedArrayBuffer> => Buffer.from(new SharedArrayBuffer(length))

/** A text in UTF-8. */
export function sharedText(text: string): SharedBytes {
  const bytes = sharedBytes(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** They arrive in another thread without the methods of a Buffer. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: SharedBytes): Buffer => Buffer.from(buffer, byteOffset, byteLength)
