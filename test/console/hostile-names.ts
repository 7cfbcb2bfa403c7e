/** Names as only an attacker gives them: markup, controls of direction, and as long as the contract allows. */
export const hostileNames = [
  '/<img src=x onerror=alert(1)><script>alert(2)</script>"\'&amp;',
  '/\u202egnp.exe\u202c/\u2066\u200f',
  `/${'ä'.repeat(255)}`,
  '/مرحبا/שלום/会議',
  `/${'W'.repeat(511)}`,
] as const;
