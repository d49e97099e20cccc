import { useState } from 'preact/hooks';
import { MAX_UPLOAD, uploadFile } from '../../api/file_api';
import { RequestError } from '../../api/request_error';
import { useFileDrop } from '../../components/basic/use_file_drop';
import { useLocale } from '../../i18n/language_context';
import { fileTexts } from './file_texts';

/** What became of one file. */
interface UploadNote {
  text: string;
  isProblem?: true;
}

export interface Uploads {
  notes: readonly UploadNote[];
  /** True while files are dragged over the page. */
  isOver: boolean;
  /** Stores files one after the other. Never rejects: the notes say what became of each. */
  add(files: readonly File[]): Promise<void>;
}

/** Stores files in a directory, those that are dropped anywhere on the page too. */
export function useUploads(directory: string, onStored: () => void): Uploads {
  const texts = fileTexts[useLocale()];
  const [notes, setNotes] = useState<readonly UploadNote[]>([]);
  const store = async (file: File): Promise<UploadNote> => {
    if (file.size > MAX_UPLOAD) return { text: texts.tooLarge(file.name), isProblem: true };
    try {
      const { name } = await uploadFile(file, directory);
      onStored();
      return { text: texts.uploaded(name) };
    } catch (error) {
      return { text: texts.notUploaded(file.name, error instanceof RequestError ? error.message : ''), isProblem: true };
    }
  };
  const add = async (files: readonly File[]) => {
    const done: UploadNote[] = [];
    for (const file of files) {
      setNotes([...done, { text: texts.uploading(file.name) }]);
      done.push(await store(file));
    }
    setNotes(done);
  };
  return { notes, isOver: useFileDrop(files => void add(files), true), add };
}
