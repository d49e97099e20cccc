import { useState } from 'preact/hooks';
import { fileHref } from '../../api/file_api';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { DeleteFile } from './delete_file';
import { FilePreview } from './file_preview';
import { fileTexts } from './file_texts';

interface FilePageProps {
  path: string;
  controller: ChatController;
}

/** Shows one file, and what can be done with it. */
export function FilePage({ path, controller }: FilePageProps) {
  const texts = fileTexts[useLocale()];
  const [isDeleting, setDeleting] = useState(false);
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  const openDirectory = () => controller.openView({ name: 'files', item: directory || undefined });
  const mention = () => {
    controller.mention(path);
    controller.openView(undefined);
  };
  return (
    <article data-testid="file-page">
      <div class="view-tools file-tools">
        <button type="button" class="button primary" data-testid="mention-file" onClick={mention}>
          {texts.mention}
        </button>
        <a class="button" href={fileHref(path)} download data-testid="download-file">
          <Icon name="down" />
          {texts.download}
        </a>
        <button type="button" class="button" data-testid="delete-file" onClick={() => setDeleting(true)}>
          <Icon name="trash" />
          {texts.delete}
        </button>
      </div>
      <FilePreview path={path} />
      {isDeleting && <DeleteFile path={path} controller={controller} onDeleted={openDirectory} onBack={() => setDeleting(false)} />}
    </article>
  );
}
