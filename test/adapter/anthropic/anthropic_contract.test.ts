import { describeModelAdapter } from '../../contract/model_contract';
import { anthropicWire } from '../../support/wires/anthropic_wire';

describeModelAdapter(anthropicWire);
