/** What was dropped on the window, on its way to the page that reads it. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { onRemoval } from '../../kit/removal.ts'

export const useDrops = defineStore('drops', () => {
  /** Links, IDs or an object for the form of a verification. */
  const list = ref<string>()
  /** The text of an evidence pack. */
  const pack = shallowRef<{ readonly name: string; readonly text: string }>()
  /** The text of an answer to a request for approval. */
  const approval = ref<string>()
  /** The text of a trust file. */
  const trust = shallowRef<{ readonly name: string; readonly text: string }>()
  /** A file that somebody opened with Veridesk: read like one that is dropped. */
  const opened = shallowRef<File>()
  onRemoval('drops', () => {
    list.value = undefined
    pack.value = undefined
    approval.value = undefined
    trust.value = undefined
    opened.value = undefined
  })
  return { list, pack, approval, trust, opened }
})
