/** Writes a new file. An existing one is never changed: the new file gets a free name beside it. */
import { unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { createFile, newFilePath, shownPath } from './places.mjs';
import { Refusal } from './refusal.mjs';

const MAX_TRIES = 1_000;

/** Resolves with the answer. Rejects with Refusal. */
export async function writeFile({ filePath, content, encoding = 'utf8' }, { places, maxFileSize, locale }) {
  const bytes = toBytes(content, encoding);
  if (bytes.length > maxFileSize) {
    throw new Refusal(
      `content: has ${bytes.length} bytes; at most ${maxFileSize} are written (setting max_file_size).`,
      `content：有 ${bytes.length} 字节，最多写入 ${maxFileSize} 字节（设置 max_file_size）。`,
    );
  }
  if (/[\\/]$/.test(filePath)) throw new Refusal('filePath: is a directory; add the name of a file.', 'filePath：是目录，请加上文件名。');
  const wanted = await newFilePath(places, filePath, 'filePath');
  const { handle, real } = await firstFree(places, wanted, filePath);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(real).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  return toAnswer({ path: shownPath(places, real), size: bytes.length, renamed: real !== wanted }, shownPath(places, wanted), locale);
}

function toBytes(content, encoding) {
  switch (encoding.toLowerCase().replace('-', '')) {
    case 'utf8':
      return Buffer.from(content, 'utf8');
    case 'base64':
      return Buffer.from(content, 'base64');
    default:
      throw new Refusal('encoding: must be utf8 or base64.', 'encoding：只能是 utf8 或 base64。');
  }
}

/** Creates the first of report.txt, report_1.txt, report_2.txt ... that is free. */
async function firstFree(places, wanted, path) {
  const extension = extname(wanted);
  const stem = basename(wanted, extension);
  for (let number = 0; number < MAX_TRIES; number += 1) {
    const real = number === 0 ? wanted : join(dirname(wanted), `${stem}_${number}${extension}`);
    const handle = await createFile(places, real, { field: 'filePath', path });
    if (handle) return { handle, real };
  }
  throw new Refusal(
    `filePath: ${path} and ${MAX_TRIES - 1} names beside it are taken; choose another name.`,
    `filePath：${path} 及其后的 ${MAX_TRIES - 1} 个名称都已被占用，请换一个名称。`,
  );
}

function toAnswer(result, wanted, locale) {
  const { path, size, renamed } = result;
  const isChinese = locale === 'zh-CN';
  const why = isChinese ? `${wanted} 已存在，没有改动它。` : `${wanted} exists and was left as it is.`;
  const wrote = isChinese ? `已写入 ${path}（${size} 字节）。` : `Wrote ${path} (${size} bytes).`;
  return { result, message: renamed ? `${wrote} ${why}` : wrote };
}
