import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../i18n/language_context';
import { CopyButton } from '../basic/copy_button';
import { useKept } from '../basic/kept_state';
import { lazy } from '../basic/lazy';
import { memo } from '../basic/memo';
import { answerTexts } from './answer_texts';

const Artifact = lazy(async () => (await import('./artifact')).Artifact);
const Diagram = lazy(async () => (await import('./diagram')).Diagram);

interface CodeBlockProps {
  language: string;
  code: string;
  /** False while the code may still grow. Growing code is plain text, which needs no html parsing. */
  isClosed: boolean;
  /** Shows the code as the document that it is. */
  preview?: () => ComponentChildren;
}

/** Languages whose code is a page or a drawing. */
const PAGES: ReadonlySet<string> = new Set(['html', 'svg']);

/** Shows code, in colours once it is whole. A diagram, a page or a drawing is shown when the person asks for it. */
export const CodeBlock = memo(({ language, code, isClosed, preview }: CodeBlockProps) => {
  const texts = answerTexts[useLocale()];
  const [isDrawn, setDrawn] = useKept(`drawn ${code}`, false);
  const coloured = useColours(code, language, isClosed);
  const isDiagram = language === 'mermaid';
  const canShow = isClosed && (isDiagram || PAGES.has(language) || preview !== undefined);
  return (
    <figure class={isClosed ? 'code-block' : 'code-block growing'}>
      <figcaption>
        <span>{language || 'text'}</span>
        {canShow && (
          <button
            type="button"
            class="link-button"
            data-testid={isDiagram ? 'toggle-diagram' : 'toggle-preview'}
            onClick={() => setDrawn(!isDrawn)}
          >
            {isDrawn ? texts.showSource : isDiagram ? texts.showDiagram : texts.showPreview}
          </button>
        )}
        <CopyButton text={() => code} label={texts.copyCode} />
      </figcaption>
      {isDrawn ? (
        (preview?.() ?? (isDiagram ? <Diagram source={code} /> : <Artifact language={language} source={code} />))
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        <pre tabIndex={0} dir="ltr">
          {/* highlight.ts has sanitised the html. */}
          {coloured === undefined ? <code>{code}</code> : <code key="coloured" dangerouslySetInnerHTML={{ __html: coloured }} />}
        </pre>
      )}
    </figure>
  );
});

/** Never rejects: without the colours code stays plain. */
async function loadColours() {
  try {
    const { highlight } = await import('../../markdown/highlight');
    return highlight;
  } catch {
    return undefined;
  }
}

/** Returns the code with class names for its colours; undefined until they are loaded, and for code that stays plain. */
function useColours(code: string, language: string, isClosed: boolean): string | undefined {
  const [coloured, setColoured] = useState<{ code: string; html: string | undefined }>();
  useEffect(() => {
    if (language === '') return;
    const loading = loadColours();
    if (!isClosed) return;
    let isShown = true;
    void loading.then(highlight => isShown && setColoured({ code, html: highlight?.(code, language) }));
    return () => {
      isShown = false;
    };
    // Growing code only loads the colours, once.
  }, [isClosed ? code : '', language, isClosed]);
  return isClosed && coloured?.code === code ? coloured.html : undefined;
}
