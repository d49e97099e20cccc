import { useEffect, useState } from 'preact/hooks';
import { fileHref, readFile } from '../../api/file_api';
import { RequestError } from '../../api/request_error';
import { CodeBlock } from '../../components/answer/code_block';
import { MarkdownView } from '../../components/answer/markdown_view';
import { GatewayImage } from '../../components/basic/gateway_image';
import { lazy } from '../../components/basic/lazy';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { endingOf, kindOf, languageOf, MAX_PDF, MAX_SHOWN, toText } from './file_kind';
import { FileNotice, type NoticeName } from './file_notice';

const FileTable = lazy(async () => (await import('./file_table')).FileTable, ViewSpinner);

/** Shows the content of a file: an image, a document, a table, Markdown or text. Other files are offered as a download by the page. */
export function FilePreview({ path }: { path: string }) {
  const kind = kindOf(path);
  if (kind === 'image') return <ImagePreview path={path} />;
  if (kind === 'other' || (kind === 'pdf' && !navigator.pdfViewerEnabled)) return <FileNotice text="notShown" />;
  return kind === 'pdf' ? <PdfPreview path={path} /> : <TextPreview path={path} />;
}

function ImagePreview({ path }: { path: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <FileNotice text="notRead" />;
  return <GatewayImage class="file-image" src={fileHref(path)} alt={path} onError={() => setBroken(true)} data-testid="file-image" />;
}

function PdfPreview({ path }: { path: string }) {
  const blob = useFile(path, MAX_PDF);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(blob instanceof Blob)) return undefined;
    // The type is ours: whatever the file holds, the browser treats it as a document, never as a page.
    const made = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (!(blob instanceof Blob)) return <FileNotice text={blob} />;
  return address === undefined ? <ViewSpinner /> : <iframe class="file-document" src={address} title={path} data-testid="file-document" />;
}

function TextPreview({ path }: { path: string }) {
  const blob = useFile(path, MAX_SHOWN);
  const [text, setText] = useState<{ value: string | undefined }>();
  useEffect(() => {
    if (blob instanceof Blob) void blob.arrayBuffer().then(bytes => setText({ value: toText(bytes) }));
  }, [blob]);
  if (!(blob instanceof Blob)) return <FileNotice text={blob} />;
  if (!text) return <ViewSpinner />;
  if (text.value === undefined) return <FileNotice text="notShown" />;
  if (text.value === '') return <FileNotice text="emptyFile" />;
  return (
    <div class="file-text" data-testid="file-text">
      <ShownText path={path} text={text.value} />
    </div>
  );
}

function ShownText({ path, text }: { path: string; text: string }) {
  const kind = kindOf(path);
  if (kind === 'markdown') return <MarkdownView text={text} done hasFiles={false} />;
  if (kind === 'table') return <FileTable text={text} />;
  return <CodeBlock language={languageOf(path) || endingOf(path)} code={text} isClosed />;
}

/** Returns the file; undefined while it is read, and the name of a notice when it cannot be shown. */
function useFile(path: string, maxBytes: number): Blob | NoticeName | undefined {
  const [file, setFile] = useState<Blob | NoticeName>();
  useEffect(() => {
    const reading = new AbortController();
    const show = (next: Blob | NoticeName) => !reading.signal.aborted && setFile(next);
    readFile(path, { maxBytes, signal: reading.signal }).then(
      blob => show(blob ?? 'tooLargeToShow'),
      (error: unknown) => show(error instanceof RequestError && error.code === 'not_found' ? 'noFile' : 'notRead'),
    );
    return () => reading.abort();
  }, [path]);
  return file;
}
