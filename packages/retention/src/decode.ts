/** Bytes as text, a byte-order mark included; what is no UTF-8 becomes U+FFFD (WHATWG Encoding Standard, "UTF-8 decode without BOM"). */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
