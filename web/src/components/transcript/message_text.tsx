import { toFileLink } from '../../markdown/file_links';
import { findMentions } from '../../markdown/mentions';

/** The text of a person, as it was written. Paths of files that it names are links. */
export function MessageText({ text }: { text: string }) {
  const links = findMentions(text).flatMap(({ path, start, end }) => {
    const href = toFileLink(path);
    return href ? [{ href, start, end }] : [];
  });
  return (
    <>
      {links.map(({ href, start, end }, i) => [
        text.slice(links[i - 1]?.end ?? 0, start),
        <a key={start} href={href} data-testid="mentioned-file">
          {text.slice(start, end)}
        </a>,
      ])}
      {text.slice(links.at(-1)?.end ?? 0)}
    </>
  );
}
