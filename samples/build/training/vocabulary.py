"""Words for objects, colours and places that captions and sentences are made of.

Only data: each entry lists its English names (the first is the plain one) and its names in
French, Spanish, Italian and Korean. Grammar beyond word order is left out on purpose: people
type search words without it.
"""

from __future__ import annotations

LABELS: dict[str, dict[str, tuple[str, ...]]] = {
    "person": {
        "en": (
            "person",
            "someone",
            "a man or woman",
            "pedestrian",
            "man",
            "woman",
            "worker",
            "visitor",
        ),
        "fr": ("personne", "homme", "femme", "piéton", "quelqu'un"),
        "es": ("persona", "hombre", "mujer", "peatón", "alguien"),
        "it": ("persona", "uomo", "donna", "pedone", "qualcuno"),
        "ko": ("사람", "남자", "여자", "보행자"),
    },
    "bicycle": {
        "en": ("bicycle", "bike", "push bike", "cycle"),
        "fr": ("vélo", "bicyclette"),
        "es": ("bicicleta", "bici"),
        "it": ("bicicletta", "bici"),
        "ko": ("자전거",),
    },
    "car": {
        "en": ("car", "automobile", "sedan", "passenger car", "motor car", "hatchback"),
        "fr": ("voiture", "automobile"),
        "es": ("coche", "auto", "carro"),
        "it": ("auto", "macchina", "automobile"),
        "ko": ("자동차", "승용차", "차"),
    },
    "motorcycle": {
        "en": ("motorcycle", "motorbike", "scooter", "moped"),
        "fr": ("moto", "motocyclette", "scooter"),
        "es": ("moto", "motocicleta"),
        "it": ("moto", "motocicletta"),
        "ko": ("오토바이",),
    },
    "bus": {
        "en": ("bus", "coach", "shuttle bus", "city bus"),
        "fr": ("bus", "autobus", "autocar"),
        "es": ("autobús", "bus"),
        "it": ("autobus", "pullman"),
        "ko": ("버스",),
    },
    "truck": {
        "en": ("truck", "lorry", "delivery truck", "box truck", "heavy goods vehicle"),
        "fr": ("camion", "poids lourd"),
        "es": ("camión",),
        "it": ("camion", "autocarro"),
        "ko": ("트럭", "화물차"),
    },
    "dog": {
        "en": ("dog", "hound", "puppy"),
        "fr": ("chien",),
        "es": ("perro",),
        "it": ("cane",),
        "ko": ("개", "강아지"),
    },
    "cat": {
        "en": ("cat", "kitten"),
        "fr": ("chat",),
        "es": ("gato",),
        "it": ("gatto",),
        "ko": ("고양이",),
    },
    "backpack": {
        "en": ("backpack", "rucksack", "school bag"),
        "fr": ("sac à dos",),
        "es": ("mochila",),
        "it": ("zaino",),
        "ko": ("배낭",),
    },
    "suitcase": {
        "en": ("suitcase", "luggage", "trolley case", "travel case"),
        "fr": ("valise", "bagage"),
        "es": ("maleta", "equipaje"),
        "it": ("valigia", "bagaglio"),
        "ko": ("여행 가방", "캐리어"),
    },
    "umbrella": {
        "en": ("umbrella", "parasol", "brolly"),
        "fr": ("parapluie",),
        "es": ("paraguas",),
        "it": ("ombrello",),
        "ko": ("우산",),
    },
}

COLOURS: dict[str, dict[str, tuple[str, ...]]] = {
    "red": {
        "en": ("red", "bright red", "dark red"),
        "fr": ("rouge",),
        "es": ("rojo", "roja"),
        "it": ("rosso", "rossa"),
        "ko": ("빨간", "빨간색"),
    },
    "blue": {
        "en": ("blue", "dark blue", "light blue", "navy"),
        "fr": ("bleu", "bleue"),
        "es": ("azul",),
        "it": ("blu", "azzurro"),
        "ko": ("파란", "파란색"),
    },
    "green": {
        "en": ("green", "dark green"),
        "fr": ("vert", "verte"),
        "es": ("verde",),
        "it": ("verde",),
        "ko": ("초록색", "녹색"),
    },
    "yellow": {
        "en": ("yellow", "bright yellow"),
        "fr": ("jaune",),
        "es": ("amarillo", "amarilla"),
        "it": ("giallo", "gialla"),
        "ko": ("노란", "노란색"),
    },
    "white": {
        "en": ("white",),
        "fr": ("blanc", "blanche"),
        "es": ("blanco", "blanca"),
        "it": ("bianco", "bianca"),
        "ko": ("흰", "흰색", "하얀"),
    },
    "black": {
        "en": ("black",),
        "fr": ("noir", "noire"),
        "es": ("negro", "negra"),
        "it": ("nero", "nera"),
        "ko": ("검은", "검은색"),
    },
    "grey": {
        "en": ("grey", "gray", "silver"),
        "fr": ("gris", "grise"),
        "es": ("gris",),
        "it": ("grigio", "grigia"),
        "ko": ("회색",),
    },
    "orange": {
        "en": ("orange",),
        "fr": ("orange",),
        "es": ("naranja",),
        "it": ("arancione",),
        "ko": ("주황색",),
    },
    "brown": {
        "en": ("brown",),
        "fr": ("marron", "brun"),
        "es": ("marrón",),
        "it": ("marrone",),
        "ko": ("갈색",),
    },
    "purple": {
        "en": ("purple", "violet"),
        "fr": ("violet", "violette"),
        "es": ("morado", "morada"),
        "it": ("viola",),
        "ko": ("보라색",),
    },
    "pink": {
        "en": ("pink",),
        "fr": ("rose",),
        "es": ("rosa",),
        "it": ("rosa",),
        "ko": ("분홍색",),
    },
    "beige": {
        "en": ("beige", "tan", "cream"),
        "fr": ("beige",),
        "es": ("beige",),
        "it": ("beige",),
        "ko": ("베이지색",),
    },
}

# Garments by the part of the body; the renderer colours upper and lower body separately.
UPPER_GARMENTS = ("jacket", "coat", "shirt", "top", "sweater", "hoodie", "vest")
LOWER_GARMENTS = ("trousers", "pants", "jeans")

PLACES = (
    "the gate",
    "the dock",
    "the yard",
    "the lobby",
    "the car park",
    "the loading bay",
    "the entrance",
    "the street",
    "the warehouse",
    "the fence",
    "the crossing",
    "the reception",
    "the ramp",
    "the barrier",
    "the side door",
    "the bicycle rack",
)

# Foreign word order: colour after the noun in the Romance languages, before it in Korean.
NOUN_FIRST = ("fr", "es", "it")
FOREIGN = ("fr", "es", "it", "ko")

# Wider words, and the classes each allows.
GROUPS: dict[str, tuple[str, ...]] = {
    "vehicle": ("car", "motorcycle", "bus", "truck"),
    "animal": ("dog", "cat"),
    "pet": ("dog", "cat"),
    "bag": ("backpack", "suitcase"),
    "two-wheeler": ("bicycle", "motorcycle"),
}
