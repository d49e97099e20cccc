import { describeModelAdapter } from '../../contract/model_contract';
import { chatWire } from '../../support/wires/chat_wire';

describeModelAdapter(chatWire);
