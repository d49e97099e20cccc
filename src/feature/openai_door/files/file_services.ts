import type { InputFiles } from './input_files';
import type { UploadedFiles } from './uploaded_files';

/** The services of files, as controllers inject them. */
export interface FileServices {
  uploadedFiles: UploadedFiles;
  inputFiles: InputFiles;
}
