/** Tells whether a text for Chinese readers is Chinese: only quotations, addresses and names may be in another language. */

/** Four English words that follow each other. */
const ENGLISH = /[A-Za-z]{2,}(?:,? [A-Za-z]{2,}){3}/;
/** Quoted texts and addresses are what the call or a server said. */
const QUOTED = /"(?:[^"\\]|\\.)*"|“[^”]*”|<untrusted[\s\S]*<\/untrusted\w*>|https?:\/\/\S+|NETA_\w+/g;

export function expectChinese(text: string): void {
  expect(text).toMatch(/\p{Script=Han}/u);
  expect(text.replace(QUOTED, '')).not.toMatch(ENGLISH);
}
