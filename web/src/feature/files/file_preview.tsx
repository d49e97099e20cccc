import { useEffect, useState } from 'preact/hooks';
import { fileHref, readFile } from '../../api/file_api';
import { RequestError } from '../../api/request_error';
import { CodeBlock } from '../../components/answer/code_block';
import { MarkdownView } from '../../components/answer/markdown_view';
import { lazy } from '../../components/basic/lazy';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { useLocale } from '../../i18n/language_context';
import { endingOf, kindOf, languageOf, MAX_PDF, MAX_SHOWN, toText } from './file_kind';
import { fileTexts } from './file_texts';

const FileTable = lazy(async () => (await import('./file_table')).FileTable, ViewSpinner);

/** Shows the content of a file: an image, a document, a table, Markdown or text. Other files are offered as a download by the page. */
export function FilePreview({ path }: { path: string }) {
  const kind = kindOf(path);
  if (kind === 'image') return <ImagePreview path={path} />;
  if (kind === 'other' || (kind === 'pdf' && !navigator.pdfViewerEnabled)) return <Notice text="notShown" />;
  return kind === 'pdf' ? <PdfPreview path={path} /> : <TextPreview path={path} />;
}

function ImagePreview({ path }: { path: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Notice text="notRead" />;
  return <img class="file-image" src={fileHref(path)} alt={path} onError={() => setBroken(true)} data-testid="file-image" />;
}

function PdfPreview({ path }: { path: string }) {
  const blob = useFile(path);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(blob instanceof Blob)) return undefined;
    // The type is ours: whatever the file holds, the browser treats it as a document, never as a page.
    const made = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (!(blob instanceof Blob)) return <Notice text={blob} />;
  if (blob.size > MAX_PDF) return <Notice text="tooLargeToShow" />;
  return address === undefined ? <ViewSpinner /> : <iframe class="file-document" src={address} title={path} data-testid="file-document" />;
}

function TextPreview({ path }: { path: string }) {
  const blob = useFile(path);
  const [text, setText] = useState<{ value: string | undefined }>();
  useEffect(() => {
    if (blob instanceof Blob && blob.size <= MAX_SHOWN) void blob.arrayBuffer().then(bytes => setText({ value: toText(bytes) }));
  }, [blob]);
  if (!(blob instanceof Blob)) return <Notice text={blob} />;
  if (blob.size > MAX_SHOWN) return <Notice text="tooLargeToShow" />;
  if (!text) return <ViewSpinner />;
  if (text.value === undefined) return <Notice text="notShown" />;
  if (text.value === '') return <Notice text="emptyFile" />;
  return (
    <div class="file-text" data-testid="file-text">
      <ShownText path={path} text={text.value} />
    </div>
  );
}

function ShownText({ path, text }: { path: string; text: string }) {
  const kind = kindOf(path);
  if (kind === 'markdown') return <MarkdownView text={text} done />;
  if (kind === 'table') return <FileTable text={text} />;
  return <CodeBlock language={languageOf(path) || endingOf(path)} code={text} isClosed />;
}

type NoticeName = 'notShown' | 'tooLargeToShow' | 'emptyFile' | 'noFile' | 'notRead';

function Notice({ text }: { text: NoticeName | undefined }) {
  const texts = fileTexts[useLocale()];
  if (text === undefined) return <ViewSpinner />;
  return (
    <p class="view-empty" role={text === 'notRead' || text === 'noFile' ? 'alert' : undefined} data-testid="file-notice">
      {texts[text]}
    </p>
  );
}

/** Returns the file; undefined while it is read, and the name of a notice when it cannot be read. */
function useFile(path: string): Blob | 'noFile' | 'notRead' | undefined {
  const [file, setFile] = useState<Blob | 'noFile' | 'notRead'>();
  useEffect(() => {
    let isShown = true;
    const show = (next: Blob | 'noFile' | 'notRead') => isShown && setFile(next);
    readFile(path).then(show, (error: unknown) => show(error instanceof RequestError && error.code === 'not_found' ? 'noFile' : 'notRead'));
    return () => {
      isShown = false;
    };
  }, [path]);
  return file;
}
