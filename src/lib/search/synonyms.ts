/** Synonyms of a new shop. Other spellings need no entry, because the search folds them. */
export const SYNONYMS = `murukku, chakli, chakkuli, jantikalu
thattai, nippattu, thattu vadai, chekkalu
mixture, chivda, chevda, bhujia, farsan
sev, omapodi, karasevu
ribbon, ola, nada
pakoda, pakora, bajji
seedai, cheedai, kodubale
chips, wafers, upperi
biscuit, cookie, rusk
laddu, urundai, unde
boondi, motichoor
adhirasam, ariselu, anarsa, kajjaya
halwa, kesari, sheera
tirunelveli, nellai, iruttukadai
katli, burfi
kaju katli, mundhiri cake
palkova, khoa, mawa, peda, thirattupal
badusha, balushahi, badushahi
jangiri, jalebi, jilebi, imarti
mittai, chikki, candy, brittle
kadalai mittai, kadalai urundai
plum cake, fruit cake, christmas cake
avakkai, avakaya, mango pickle
pickle, achar, urugai, thokku
powder, podi, masala, thool
idli, dosa
milagai podi, gunpowder
paruppu, dal, lentil
sathu maavu, health mix, health drink, porridge mix, kanji mix
savouries, snacks, namkeen, karam
kara, spicy, hot
sweets, mithai, inippu, dessert
seer, wedding, marriage, kalyanam, shaadi, thirumanam
gift, gift box, hamper, present, parisu
diwali, deepavali
mango, aam, manga
lemon, lime, nimbu, elumichai
garlic, lahsun, poondu, vellulli
ginger, adrak, inji, allam
tomato, tamatar, thakkali
citron, narthangai, kidarangai
peanut, groundnut, kadalai, moongphali, verkadalai
cashew, kaju, mundhiri, jeedipappu
almond, badam
coconut, nariyal, thengai, kobbari
banana, plantain, kela, vazhakkai, nendran, nenthiram
milk, doodh, paal
butter, vennai, makkhan
ghee, nei
jaggery, vellam, gud, bellam
semolina, rava, sooji, suji
wheat, godhumai, atta
rice, arisi, chawal
sesame, til, ellu, gingelly
gram flour, besan, kadalai maavu
turmeric, haldi, manjal
chilli, milagai, mirchi
pepper, milagu
mustard, kadugu, sarson
fenugreek, methi, vendhayam
coriander, dhania, kothamalli
cardamom, elaichi, elakkai
asafoetida, hing, perungayam
urad dal, ulundu
cumin, jeera, seeragam
curry leaves, karuveppilai
ragi, kezhvaragu, finger millet
vegetarian, veg`
