import { useLayoutEffect, useRef } from 'preact/hooks';
import { createMarkdownParser, type MarkdownBlock } from '../../markdown/markdown_parser';
import { sanitizeHtml } from '../../markdown/sanitize_html';
import { createStreamingMarkdown, type StreamingMarkdown } from '../../markdown/streaming_markdown';
import { CopyButton } from './copy_button';
import { memo } from './memo';

const parser = createMarkdownParser(sanitizeHtml);

/** Shows Markdown, which may still grow while `done` is false. Each block is a component and renders only when it has changed. */
export const MarkdownView = memo(({ text, done }: { text: string; done: boolean }) => {
  const streaming = useRef<StreamingMarkdown>();
  streaming.current ??= createStreamingMarkdown(parser);
  const blocks = done ? streaming.current.finish(text) : streaming.current.update(text);
  return (
    <div class={done ? 'markdown' : 'markdown growing'}>
      {blocks.map((block, index) => (
        // Blocks are only appended, so the position identifies a block.
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
    // The parser has sanitised the html, see sanitize_html.ts.
    if (element.current) element.current.innerHTML = html;
  }, [html]);
  return <div class="block" ref={element} />;
});

/** Shows code as a text node, so that growing code needs no html parsing. */
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
