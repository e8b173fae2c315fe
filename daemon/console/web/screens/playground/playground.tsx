import { Chat } from './chat/chat.tsx';
import './playground.css';

export function Playground() {
  return <Chat />;
}
