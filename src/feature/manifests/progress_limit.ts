/** Characters and lines of progress that a call may stream. */
const MAX_UNITS = 262_144;
const MAX_LINES = 2_000;

/** Hands progress on until a call has sent too much. */
export function limitProgress(onOutput: (text: string) => void): (text: string) => void {
  let units = 0;
  let lines = 0;
  return text => {
    const room = MAX_UNITS - units;
    if (room <= 0 || lines >= MAX_LINES) return;
    units += text.length + 1;
    lines += 1;
    onOutput(`${text.slice(0, room)}\n`);
  };
}
