/** Creates small DOCX and XLSX documents, and ZIP archives that are wrong in a chosen way. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ArchivePart {
  name: string;
  content: Buffer | string;
  /** Size that the archive states instead of the real one. */
  statedSize?: number;
  flags?: number;
}

/** Creates a ZIP archive; `copies`: how often the directory lists each part. */
export function zip(parts: readonly ArchivePart[], copies = 1): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedSize, flags = 0 } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(statedSize ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const row = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, Buffer.from(name)]);
    directory.push(...Array.from({ length: copies }, () => row));
    pieces.push(local);
    offset += local.length;
  }
  const rows = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(rows.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...pieces, rows, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const contentTypes = (path: string, type: string): ArchivePart => ({
  name: '[Content_Types].xml',
  content: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
});

const rootRelation = (target: string): ArchivePart => ({
  name: '_rels/.rels',
  content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATION}/officeDocument" Target="${target}"/></Relationships>`,
});

const DOCX_PATH = 'word/document.xml';

export function docxParts(paragraphs: readonly string[]): ArchivePart[] {
  const body = paragraphs.map(text => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const content = `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return [contentTypes(DOCX_PATH, 'wordprocessingml.document'), rootRelation(DOCX_PATH), { name: DOCX_PATH, content }];
}

export const makeDocx = (paragraphs: readonly string[]): Buffer => zip(docxParts(paragraphs));

const XLSX_PATH = 'xl/workbook.xml';

/** A workbook with one sheet of this name. */
export function makeXlsx(sheet: string, rows: readonly (readonly (string | number)[])[]): Buffer {
  const cell = (value: string | number, row: number, column: number) => {
    const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    return typeof value === 'number' ? `<c ${place}><v>${value}</v></c>` : `<c ${place} t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const data = rows.map((row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, r, c)).join('')}</row>`).join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zip([
    contentTypes(XLSX_PATH, 'spreadsheetml.sheet'),
    rootRelation(XLSX_PATH),
    {
      name: XLSX_PATH,
      content: `${XML}<workbook xmlns="${main}" xmlns:r="${RELATION}"><sheets><sheet name="${sheet}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', content: `${XML}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>` },
  ]);
}
