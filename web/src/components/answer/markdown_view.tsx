import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { memo } from '../basic/memo';
import type { MarkdownProps } from './markdown_blocks';

let Blocks: ComponentType<MarkdownProps> | undefined;

/** Loads the parts that show Markdown. Never rejects: without them the text shows as it was written, and the next text loads them. */
export async function loadMarkdown(): Promise<void> {
  const parts = await import('./markdown_blocks').catch(() => undefined);
  Blocks = parts?.MarkdownBlocks ?? Blocks;
}

/** Shows Markdown. Its parser is not needed before the first text, so it is no part of the first load. */
export const MarkdownView = memo(({ text, done, hasFiles }: MarkdownProps) => {
  const [, render] = useState(0);
  useEffect(() => {
    if (!Blocks) void loadMarkdown().then(() => render(count => count + 1));
  }, []);
  return Blocks ? <Blocks text={text} done={done} hasFiles={hasFiles} /> : <div class="markdown written">{text}</div>;
});
