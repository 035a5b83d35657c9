/**
 * The words that a new shop's search knows; the owner edits them in the settings. Other spellings need no line, because
 * the search folds them.
 */
export const SYNONYMS = `murukku, chakli, chakri
laddu, urundai
halwa, kesari
mixture, chivda, chevda, bhujia
pickle, achar, urugai, uppilittathu
powder, podi, masala, thool
jangiri, jalebi, imarti
katli, burfi
palkova, khoa, mawa, peda
mittai, chikki, candy, brittle
pakoda, pakora, bajji
sev, omapodi
biscuit, cookie
savouries, snacks, namkeen, karam, farsan
sweets, mithai, inippu, dessert
seer, wedding, marriage, kalyanam, shaadi
gift, hamper, present
turmeric, haldi, manjal
mango, aam, manga
lemon, lime, nimbu, elumichai
garlic, lahsun, poondu
ginger, adrak, inji
tomato, tamatar, thakkali
peanut, groundnut, kadalai, moongphali
cashew, kaju, mundhiri`
