import { initialsOf } from './initials';
import './people.css';

/** Shows the initials of a person on a colour that follows from the handle. The name stands beside it, or in the title. */
export function Avatar({ handle, name, title }: { handle: string; name: string; title?: string }) {
  return (
    <span class="avatar" aria-hidden="true" title={title} style={{ '--hue': hueOf(handle) }}>
      {initialsOf(name)}
    </span>
  );
}

function hueOf(handle: string): number {
  let sum = 0;
  for (const letter of handle) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}
