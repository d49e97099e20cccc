import { CopyButton } from '../../components/basic/copy_button';

/** Characters at each end that tell an id from others. */
const [HEAD, TAIL] = [6, 8];

/** The ends of a long id, and a button that copies the whole. */
export function LongId({ id, label }: { id: string; label: string }) {
  const isShort = id.length <= HEAD + TAIL + 1;
  return (
    <span class="long-id">
      <span title={id}>{isShort ? id : `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`}</span>
      <CopyButton text={() => id} label={label} />
    </span>
  );
}
