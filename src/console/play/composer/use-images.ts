/** The images of the next message, from wherever they are given: picked, pasted or dropped. */
import { useState } from 'react'

export function useImages() {
  const [images, setImages] = useState<readonly string[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const add = async (given: Iterable<File>) => {
    const files = [...given].filter(({ type }) => type.startsWith('image/'))
    if (files.length === 0) return
    const { readImages, MOST_IMAGES } = await import('./images.js')
    try {
      const read = await readImages(files)
      setImages((before) => [...before, ...read].slice(0, MOST_IMAGES))
      setFault(images.length + read.length > MOST_IMAGES ? `At most ${MOST_IMAGES} images go with a message.` : null)
    } catch (error) {
      setFault((error as Error).message)
    }
  }
  return {
    images,
    fault,
    add: (files: Iterable<File>) => void add(files),
    remove: (at: number) => setImages((before) => before.toSpliced(at, 1)),
    clear() {
      setImages([])
      setFault(null)
    },
  }
}
