import { toFileLink } from '../../markdown/file_links';

/** A path behind an @; a sentence may end behind it. */
const MENTION = /((?:^|\s)@)(\S+?)(?=[.,;:!?)。，；：！？]*(?:\s|$))/g;

/** The text of a person, as it was written. Paths of files that it names are links. */
export function MessageText({ text }: { text: string }) {
  const parts = [...text.matchAll(MENTION)].flatMap(({ 1: before = '', 2: path = '', index }) => {
    const href = toFileLink(path);
    return href ? [{ path, href, start: index + before.length }] : [];
  });
  if (parts.length === 0) return <>{text}</>;
  return (
    <>
      {parts.map(({ path, href, start }, i) => {
        const last = parts[i - 1];
        return [
          text.slice(last ? last.start + last.path.length : 0, start),
          <a key={start} href={href} data-testid="mentioned-file">
            {path}
          </a>,
        ];
      })}
      {text.slice((parts.at(-1)?.start ?? 0) + (parts.at(-1)?.path.length ?? 0))}
    </>
  );
}
