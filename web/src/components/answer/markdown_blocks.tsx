import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { toCsv } from '../../markdown/csv';
import { followFootnote } from '../../markdown/footnotes';
import { createMarkdownParser, FOREIGN_IMAGE, type MarkdownBlock } from '../../markdown/markdown_parser';
import { sanitizeHtml } from '../../markdown/sanitize_html';
import { createStreamingMarkdown, growingBlock, type StreamingMarkdown } from '../../markdown/streaming_markdown';
import { isPlainClick } from '../../platform/plain_click';
import { CopyButton } from '../basic/copy_button';
import { memo } from '../basic/memo';
import { answerTexts } from './answer_texts';
import { CodeBlock } from './code_block';
import { showForeignImage } from './foreign_image';
import './answer.css';

export interface MarkdownProps {
  text: string;
  /** False while the text may still grow. */
  done: boolean;
  /** False for a text of another workspace: its links to files would open files of the reader that have the same name. Default true. */
  hasFiles?: boolean;
}

const parser = createMarkdownParser(sanitizeHtml);
// The first use prepares the parser and the sanitiser. Without this, the first words of the first answer would wait for it.
parser.parse('**one** `two`\n\n- three');
const parserWithoutFiles = createMarkdownParser(sanitizeHtml, { hasFiles: false });

/** Shows the blocks of a text. Each block is a component and renders only when it has changed. */
export function MarkdownBlocks({ text, done, hasFiles = true }: MarkdownProps) {
  const answer = useRef<HTMLDivElement>(null);
  const streaming = useRef<StreamingMarkdown>();
  streaming.current ??= createStreamingMarkdown(hasFiles ? parser : parserWithoutFiles);
  const isWhole = useLater(done);
  const blocks = isWhole ? streaming.current.finish(text) : streaming.current.update(text);
  const growing = done ? -1 : growingBlock(blocks);
  const { imageFailed } = answerTexts[useLocale()];
  // Listens here, because the links are inside of sanitised html.
  useLayoutEffect(() => {
    const element = answer.current;
    const onClick = (event: MouseEvent) => {
      const { target } = event;
      if (!element || !(target instanceof Element)) return;
      if (followFootnote(target, element) || (isPlainClick(event) && showForeignImage(target, element, imageFailed)))
        event.preventDefault();
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [imageFailed]);
  return (
    <div ref={answer} class="markdown">
      {blocks.map((block, index) => (
        // Blocks are only appended, so the position identifies a block.
        <BlockView key={index} block={block} isClosed={index !== growing} />
      ))}
    </div>
  );
}

/** Returns true when the text is complete, for a text that has grown one task later: its end makes work enough for one. */
function useLater(done: boolean): boolean {
  const [isLater, setLater] = useState(done);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setLater(true));
    return () => clearTimeout(timer);
  }, [done]);
  return done && isLater;
}

const BlockView = memo(({ block, isClosed }: { block: MarkdownBlock; isClosed: boolean }) => {
  if (block.kind === 'code')
    return <CodeBlock language={block.language} code={block.code} isClosed={isClosed} preview={previewOf(block)} />;
  if (block.kind === 'formula') return <FormulaBlock tex={block.tex} />;
  return block.isTable ? <TableBlock html={block.html} /> : <HtmlBlock html={block.html} isClosed={isClosed} />;
});

/** Markdown in Markdown is shown as the rest of the answer, sanitised alike. */
function previewOf({ language, code }: { language: string; code: string }): (() => ComponentChildren) | undefined {
  if (language !== 'markdown' && language !== 'md') return undefined;
  return () => (
    <div class="preview" data-testid="preview">
      <MarkdownBlocks text={code} done />
    </div>
  );
}

/** Elements that hold text of one language and so of one direction. */
const TEXTS = 'p, li, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, th, td';

const HtmlBlock = memo(({ html, isClosed = true }: { html: string; isClosed?: boolean }) => {
  const { showImage } = answerTexts[useLocale()];
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    // The parser has sanitised the html, see sanitize_html.ts.
    element.current.innerHTML = html;
    for (const text of element.current.querySelectorAll<HTMLElement>(TEXTS)) text.dir = 'auto';
    for (const link of element.current.querySelectorAll<HTMLElement>(`a.${FOREIGN_IMAGE}`)) link.title = showImage;
    const formulas = element.current.querySelectorAll<HTMLElement>('.formula');
    for (const formula of formulas) void drawFormula(formula, formula.textContent ?? '', formula.classList.contains('display'));
  }, [html]);
  // The caret is a class of the one block: as a class of the answer, the browser would style every block again when it goes.
  return <div class={isClosed ? 'block' : 'block growing'} ref={element} />;
});

/** Never rejects: a formula that could not be loaded stays as it was written. */
async function drawFormula(element: HTMLElement, tex: string, isDisplay: boolean): Promise<void> {
  const parts = await import('../../markdown/formula').catch(() => undefined);
  parts?.drawFormula(element, tex, isDisplay);
}

function FormulaBlock({ tex }: { tex: string }) {
  const texts = answerTexts[useLocale()];
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    element.current.textContent = tex;
    void drawFormula(element.current, tex, true);
  }, [tex]);
  return (
    <div class="block with-tools">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div class="formula display" ref={element} tabIndex={0} role="math" aria-label={tex} />
      <div class="block-tools">
        <CopyButton text={() => tex} label={texts.copyFormula} />
      </div>
    </div>
  );
}

function TableBlock({ html }: { html: string }) {
  const texts = answerTexts[useLocale()];
  const element = useRef<HTMLDivElement>(null);
  const rows = () => Array.from(element.current?.querySelectorAll('tr') ?? [], row => Array.from(row.cells, cell => cell.innerText.trim()));
  return (
    <div class="block with-tools" ref={element}>
      <HtmlBlock html={html} />
      <div class="block-tools">
        <CopyButton text={() => toTabs(rows())} label={texts.copyTable} />
        <CopyButton text={() => toCsv(rows())} label={texts.copyCsv} mark="CSV" />
      </div>
    </div>
  );
}

/** Spreadsheets and documents read tabs and line ends as cells. */
const toTabs = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => row.map(cell => cell.replace(/\s+/g, ' ')).join('\t')).join('\n');
