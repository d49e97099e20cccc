import { deleteFile } from '../../api/file_api';
import type { ChatController } from '../../chat/chat_controller';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { useLocale, useMessages } from '../../i18n/language_context';
import { fileTexts } from './file_texts';

interface DeleteFileProps {
  path: string;
  controller: ChatController;
  onDeleted: () => void;
  onBack: () => void;
}

/** Asks whether a file is to be deleted, and deletes it. */
export function DeleteFile({ path, controller, onDeleted, onBack }: DeleteFileProps) {
  const messages = useMessages();
  const texts = fileTexts[useLocale()];
  const remove = async () => {
    try {
      await deleteFile(path);
      onDeleted();
    } catch {
      controller.notify(messages.requestFailed);
      onBack();
    }
  };
  return (
    <ConfirmDialog
      title={texts.deleteQuestion(path)}
      text={texts.deleteExplanation}
      action={texts.delete}
      onConfirm={() => void remove()}
      onCancel={onBack}
    />
  );
}
