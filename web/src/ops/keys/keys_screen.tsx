import { KeyPart } from './key_part';
import { WebhookPart } from './webhook_part';

export function KeysScreen() {
  return (
    <>
      <KeyPart />
      <WebhookPart />
    </>
  );
}
