import { useMessages } from '../../i18n/language_context';

export function ViewSpinner() {
  const messages = useMessages();
  return (
    <p class="view-spinner" role="status">
      <span class="spinner" />
      {messages.loading}
    </p>
  );
}
