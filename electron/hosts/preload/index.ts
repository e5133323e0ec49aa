/** The sandboxed preload: `window.veridesk`, and nothing else. */
import { contextBridge, ipcRenderer, webFrame, type IpcRendererEvent } from 'electron'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { eventChannel, requestChannel } from '#contract/verification/transport.ts'
import { buildBridge } from './bridge.ts'
import { takePeers } from '../node/no-peers.ts'

// At once, and so before the page’s own scripts.
void webFrame.executeJavaScript(`(${takePeers.toString()})()`)

const bridge = buildBridge(
  channelNames,
  (name, input) => ipcRenderer.invoke(requestChannel, name, input),
  (listener) => {
    const onEvent = (_event: IpcRendererEvent, event: unknown): void => listener(event)
    ipcRenderer.on(eventChannel, onEvent)
    return () => {
      ipcRenderer.off(eventChannel, onEvent)
    }
  }
)

contextBridge.exposeInMainWorld('veridesk', bridge)
