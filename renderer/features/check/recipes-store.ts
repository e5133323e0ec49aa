/** The recipes that can be chosen: those of the settings, and those that colleagues share. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { Recipe, TeamRecipe } from '#contract/verification/saved-recipes.ts'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApp } from '../shell/app-store.ts'
import { useTeam } from '../team/team-store.ts'
import { words } from './words.ts'

interface OfferedRecipe extends Recipe {
  /** Who shares it; absent for one's own. */
  readonly member?: string
}

export const useRecipes = defineStore('recipes', () => {
  const app = useApp()
  const team = useTeam()
  const colleagues = shallowRef<readonly TeamRecipe[]>([])
  watch(
    () => [team.isJoined, team.version],
    async () => {
      const answer = team.isJoined ? await ask('team.recipes') : undefined
      colleagues.value = answer?.ok ? answer.value : []
    },
    { immediate: true }
  )
  // They are asked for again when the team is.
  onRemoval('recipes', () => (colleagues.value = []))
  /** Each under a name of its own; one's own come first. */
  const offered = computed<readonly OfferedRecipe[]>(() => {
    const names = new Set(app.settings.recipes.map(({ name }) => name))
    const theirs = colleagues.value.flatMap(({ name, member, operations }) => {
      const label = words.recipeOfMember({ name, member })
      if (names.has(label)) return []
      names.add(label)
      return [{ name: label, member, operations }]
    })
    return [...app.settings.recipes, ...theirs]
  })
  return { offered }
})
