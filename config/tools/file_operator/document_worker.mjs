/** The thread that reads one document. Each package is loaded only for a document of its kind. */
import { parentPort, workerData } from 'node:worker_threads';
import { ArchiveProblem, checkArchive } from './archive.mjs';

const MAX_PAGES = 500;
const MAX_CHARACTERS = 5_000_000;

const READERS = { pdf: readPdf, docx: readDocx, xlsx: readXlsx };

const { kind, bytes } = workerData;
try {
  parentPort.postMessage(await READERS[kind](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
} catch (error) {
  const isLocked = error?.name === 'PasswordException';
  parentPort.postMessage({ problem: error instanceof ArchiveProblem ? error.problem : isLocked ? 'locked' : 'broken' });
}

async function readPdf(file) {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 });
  const pages = [];
  let length = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && length <= MAX_CHARACTERS; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map(({ str = '', hasEOL }) => str + (hasEOL ? '\n' : '')).join('');
    pages.push(`## Page ${number} of ${pdf.numPages}\n\n${text.trim()}`);
    length += text.length;
    page.cleanup();
  }
  return { text: pages.join('\n\n'), pages: pdf.numPages, ...(pages.length < pdf.numPages && { pagesRead: pages.length }) };
}

async function readDocx(file) {
  checkArchive(file);
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.extractRawText({ buffer: file });
  return { text: withinLimit(value.replace(/\n{3,}/g, '\n\n').trim()) };
}

/** One line a row, cells separated by tabs. */
async function readXlsx(file) {
  checkArchive(file);
  const { default: readSheets } = await import('read-excel-file/node');
  const sheets = await readSheets(file);
  const parts = sheets.map(({ sheet, data }) => `## ${sheet}\n\n${data.map(row => row.map(cellText).join('\t')).join('\n')}`);
  const facts = sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.length, columns: data[0]?.length ?? 0 }));
  return { text: withinLimit(parts.join('\n\n')), sheets: facts };
}

function cellText(value) {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(value).replace(/[\t\n\r]+/g, ' ');
}

function withinLimit(text) {
  if (text.length > MAX_CHARACTERS) throw new ArchiveProblem('too_large');
  return text;
}
