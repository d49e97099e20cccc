import { useLayoutEffect, useRef } from 'preact/hooks';
import { createMarkdownParser, type MarkdownBlock } from '../markdown/markdown_parser';
import { sanitizeHtml } from '../markdown/sanitize_html';
import { createStreamingMarkdown, type StreamingMarkdown } from '../markdown/streaming_markdown';
import { CopyButton } from './copy_button';
import { memo } from './memo';

const parser = createMarkdownParser(sanitizeHtml);

/** Markdown that may still grow (`done` false); every block is its own component and renders only when it changed. */
export const MarkdownView = memo(({ text, done }: { text: string; done: boolean }) => {
  const streaming = useRef<StreamingMarkdown>();
  streaming.current ??= createStreamingMarkdown(parser);
  const blocks = done ? streaming.current.finish(text) : streaming.current.update(text);
  return (
    <div class={done ? 'markdown' : 'markdown growing'}>
      {blocks.map((block, index) => (
        // Blocks are only ever appended, so the position is their identity.
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
});

const BlockView = memo(({ block }: { block: MarkdownBlock }) =>
  block.kind === 'code' ? <CodeBlock language={block.language} code={block.code} /> : <HtmlBlock html={block.html} />,
);

const HtmlBlock = memo(({ html }: { html: string }) => {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Sanitised by the parser, see sanitize_html.ts.
    if (element.current) element.current.innerHTML = html;
  }, [html]);
  return <div class="block" ref={element} />;
});

/** Code as a text node: while it grows the browser gets the new text and no html is parsed. */
const CodeBlock = memo(({ language, code }: { language: string; code: string }) => (
  <figure class="code-block">
    <figcaption>
      <span>{language || 'text'}</span>
      <CopyButton text={() => code} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </figure>
));
