import { HookPart } from '../../feature/hooks/hook_part';
import { WebhookPart } from '../../feature/webhooks/webhook_part';
import { KeyPart } from './key_part';

export function KeysScreen() {
  return (
    <>
      <KeyPart />
      <WebhookPart />
      <HookPart />
    </>
  );
}
